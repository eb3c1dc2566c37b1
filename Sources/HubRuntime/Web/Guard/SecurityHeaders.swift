import WebServer

extension HTTPHeaders {
    /// Adds the security header fields of every response: only its own scripts and styles run, it cannot be framed,
    /// only hub itself may ask for the microphone, content types are not guessed, and caches do not store it unless the route says so.
    mutating func addSecurity(policy: String) {
        self["Content-Security-Policy"] = policy
        self["Permissions-Policy"] = "camera=(), geolocation=(), microphone=(self)"
        self["X-Content-Type-Options"] = "nosniff"
        self["Referrer-Policy"] = "no-referrer"
        self["Cross-Origin-Opener-Policy"] = "same-origin"
        self["Cross-Origin-Resource-Policy"] = "same-origin"
        if self["Cache-Control"] == nil { self["Cache-Control"] = "no-store" }
    }
}
