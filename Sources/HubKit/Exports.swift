// A plugin imports HubKit and has what every plugin speaks: text for terminals, times, JSON.
@_exported public import JSON
@_exported public import Text
@_exported public import Time
