# Operators

<!-- Generated from spec/. Do not edit: change a spec, then run `./bazelw run //docs:update`. -->

What an ATen operator becomes is written in `spec/aten/`. Opsets {{first}} to {{last}} are supported; outside the opsets
listed here an operator is refused with a message that names them. In-place and `out=` forms are rewritten to these
before they are looked up. {{count}} overloads.

| operator | opsets | where | remarks |
| --- | --- | --- | --- |
{{rows}}
