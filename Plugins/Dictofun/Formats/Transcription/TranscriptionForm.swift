/// The body of a request for a transcription (multipart/form-data, RFC 7578), as services that are compatible with OpenAI take it.
package struct TranscriptionForm: Hashable, Sendable {
    /// The form of the answer that is asked for.
    package enum ResponseFormat: String, Hashable, Sendable {
        /// Text, phrases and words.
        case verbose = "verbose_json"
        /// Phrases with their speakers.
        case diarized = "diarized_json"
        /// The text alone, which is all that some models of OpenAI give.
        case text = "json"

        /// The form for a model of this name.
        package init(model: String?) { self = model?.contains("diarize") == true ? .diarized : .verbose }
    }

    /// The value of the header field `Content-Type`.
    package let contentType: String
    /// The body.
    package let body: [UInt8]

    /// Creates the form with a sound of `type`. `boundary` must not occur in the sound.
    package init(
        sound: [UInt8], type: SoundFileType = .wav, model: String?, language: String?,
        format: ResponseFormat = .verbose, boundary: String
    ) {
        contentType = "multipart/form-data; boundary=\(boundary)"
        var body: [UInt8] = []
        body.reserveCapacity(sound.count + 2000)
        func add(_ headers: String, _ content: [UInt8]) {
            body += Array("--\(boundary)\r\nContent-Disposition: form-data; \(headers)\r\n\r\n".utf8)
            body += content
            body += Array("\r\n".utf8)
        }
        var fields = [("model", model ?? "whisper-1"), ("response_format", format.rawValue)]
        switch format {
        case .verbose:
            fields += [("timestamp_granularities[]", "segment"), ("timestamp_granularities[]", "word")]
        case .diarized: fields.append(("chunking_strategy", "auto"))
        case .text: break
        }
        if let language { fields.append(("language", language)) }
        for (name, value) in fields { add("name=\"\(name)\"", Array(value.utf8)) }
        add("name=\"file\"; filename=\"record.\(type.rawValue)\"\r\nContent-Type: audio/\(type.rawValue)", sound)
        body += Array("--\(boundary)--\r\n".utf8)
        self.body = body
    }
}
