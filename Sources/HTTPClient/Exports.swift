// Methods, header fields and percent-encoding, which this module's own declarations use: see docs/decisions/0018-pure-modules.md.
@_exported public import HTTPTypes
