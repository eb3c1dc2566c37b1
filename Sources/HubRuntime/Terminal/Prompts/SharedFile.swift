import Commands

/// A file that is open in an editor while its text is merged with changes from elsewhere.
struct SharedFile: Sendable {
    private let path: String
    private let onChange: EditedText

    init(_ path: String, _ onChange: @escaping EditedText) {
        self.path = path
        self.onChange = onChange
    }

    /// Exchanges the text every second until the task is cancelled. What fails is tried again: the last exchange, after the
    /// editor has ended, reports it.
    func exchangeUntilCancelled() async {
        while !Task.isCancelled {
            do {
                try await Task.sleep(for: .seconds(1))
                _ = try await exchange()
            } catch {
                continue
            }
        }
    }

    /// Passes the text of the file on and puts the text that comes back in its place, until both are the same.
    func exchange() async throws -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = try DirectoryHandle(parts.dropLast().joined(separator: "/") + "/")
        let name = FileName(String(parts.last ?? ""))
        var bytes = try await BackgroundThread.run { try folder.read(name, limit: Editor.limit) }
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            let merged = try await onChange(text)
            if merged == text { return merged }
            let saved = try await BackgroundThread.run { [bytes] in
                try Self.replace(bytes, by: merged, name, in: folder)
            }
            guard let saved else { return merged }
            bytes = saved
        }
    }

    /// Puts a text in the place of `bytes`.
    /// - Returns: what the editor has saved in the meantime, which is at its place again; nil if nothing.
    private static func replace(
        _ bytes: [UInt8], by text: String, _ name: FileName, in folder: DirectoryHandle
    ) throws(SystemError) -> [UInt8]? {
        let new = FileName(name.description + "~" + Identifier.make())
        try folder.write(Array(text.utf8), new: new, mode: 0o600)
        guard try folder.exchange(new, name) else {
            // Without an exchange in one step, the file is compared once more right before.
            let saved = try folder.read(name, limit: Editor.limit)
            guard saved == bytes else {
                try folder.remove(new)
                return saved
            }
            try folder.rename(new, over: name)
            return nil
        }
        let replaced = try folder.read(new, limit: Editor.limit)
        if replaced != bytes { _ = try folder.exchange(new, name) }
        try folder.remove(new)
        return replaced == bytes ? nil : replaced
    }
}
