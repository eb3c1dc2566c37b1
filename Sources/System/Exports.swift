// Text for terminals, times and JSON, which the declarations of this module and of those above it use.
@_exported public import JSON
@_exported public import Text
@_exported public import Time
