{{comment}}
{{arrays}}
{{row}}

