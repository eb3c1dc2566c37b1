import Glibc
import TestSupport
import Testing

/// A program of the folder `Models` that computes the same in another language.
struct PythonModel {
    let script: String

    /// The lines that the program writes for the lines that it reads.
    func lines(_ input: [String], location: SourceLocation = #_sourceLocation) throws -> [String] {
        let folder = try TemporaryFolder()
        let (source, result) = ("\(folder.path)/input", "\(folder.path)/output")
        Golden.write(input.map { $0 + "\n" }.joined(), to: source)
        let models = #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Models"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, source, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, result, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let words = ["python3", "/\(models)/\(script)"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { (word: String) in strdup(word) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        try #require(
            posix_spawnp(&process, "python3", &actions, nil, &arguments, environ) == 0, sourceLocation: location)
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        #expect(status == 0, "\(script) failed", sourceLocation: location)
        return Golden.read(result).split(separator: "\n").map(String.init)
    }
}
