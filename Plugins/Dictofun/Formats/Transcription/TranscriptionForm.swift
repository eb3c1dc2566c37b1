/// The body of a request for a transcription (multipart/form-data, RFC 7578), as services that are compatible with OpenAI take it.
package struct TranscriptionForm: Hashable, Sendable {
    /// The value of the header field `Content-Type`.
    package let contentType: String
    /// The body.
    package let body: [UInt8]

    /// Creates the form with a sound as WAV. `boundary` must not occur in the sound.
    package init(sound: [UInt8], model: String?, language: String?, boundary: String) {
        contentType = "multipart/form-data; boundary=\(boundary)"
        var body: [UInt8] = []
        func add(_ headers: String, _ content: [UInt8]) {
            body += Array("--\(boundary)\r\nContent-Disposition: form-data; \(headers)\r\n\r\n".utf8)
            body += content
            body += Array("\r\n".utf8)
        }
        var fields = [("model", model ?? "whisper-1"), ("response_format", "verbose_json")]
        fields += [("timestamp_granularities[]", "segment"), ("timestamp_granularities[]", "word")]
        if let language { fields.append(("language", language)) }
        for (name, value) in fields { add("name=\"\(name)\"", Array(value.utf8)) }
        add("name=\"file\"; filename=\"record.wav\"\r\nContent-Type: audio/wav", sound)
        body += Array("--\(boundary)--\r\n".utf8)
        self.body = body
    }
}
