import Glibc
package import Testing

/// A program in Python that a test runs to its end.
package struct PythonProgram {
    private let interpreter: String
    private let script: String
    private var arguments: [String]

    /// The program at a path that begins in the folder of the test `file`.
    package init(
        _ name: String, _ arguments: [String] = [], interpreter: String = "python3", besideTest file: String = #filePath
    ) {
        self.interpreter = interpreter
        self.arguments = arguments
        script = "/" + file.split(separator: "/").dropLast().joined(separator: "/") + "/" + name
    }

    /// The lines that the program writes for the lines that it reads.
    package func lines(_ input: [String] = [], location: SourceLocation = #_sourceLocation) throws -> [String] {
        let folder = try TemporaryFolder()
        let (source, result) = ("\(folder.path)/input", "\(folder.path)/output")
        Golden.write(input.map { $0 + "\n" }.joined(), to: source)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, source, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, result, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // Compiled modules would be written beside the sources.
        let words = [interpreter, "-B", script] + arguments
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { (word: String) in strdup(word) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var process: pid_t = 0
        try #require(
            posix_spawnp(&process, interpreter, &actions, nil, &pointers, environ) == 0, "\(interpreter) is missing",
            sourceLocation: location)
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        #expect(status == 0, "\(script) failed", sourceLocation: location)
        return Golden.read(result).split(separator: "\n").map(String.init)
    }
}
