{{comment}}
Vals {{name}}(Context& c) {
{{statements}}
}

