import Glibc
import TestSupport
import Testing

/// A program in Python that a test runs to its end.
struct PythonProgram {
    let interpreter: String
    let script: String
    var arguments: [String] = []

    /// A program of the folder `Models`, which computes the same as the tested code.
    static func model(_ name: String) -> PythonProgram {
        let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Models"
        return PythonProgram(interpreter: "python3", script: "\(folder)/\(name)")
    }

    /// The lines that the program writes for the lines that it reads.
    func lines(_ input: [String], location: SourceLocation = #_sourceLocation) throws -> [String] {
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
