{{comment}}
{{signature}}
{{statements}}
}

