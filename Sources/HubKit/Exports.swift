// Errors, files, the clock and the log, which this module's own declarations use: see docs/decisions/0030-targets-of-the-kit.md.
@_exported public import System
