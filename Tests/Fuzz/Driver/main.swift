import FuzzTargets
import Glibc

// hub-fuzz TARGET [libFuzzer's options and corpora]: see README.md.

typealias Callback = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

/// libFuzzer's own main function.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: Callback
) -> CInt

nonisolated(unsafe) var chosen = FuzzTarget.card  // Set once, before the fuzzer runs, which has one thread.

// The fuzzer starts this program again, for instance to make an input smaller; then the target comes this way.
let variable = "HUB_FUZZ_TARGET"
let given = getenv(variable).map { String(cString: $0) }
guard let target = (given ?? CommandLine.arguments.dropFirst().first).flatMap(FuzzTarget.init(rawValue:)) else {
    print(
        "hub-fuzz TARGET [OPTION…] [CORPUS…]; the targets: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))"
    )
    exit(64)
}
chosen = target
// The fuzzer gets all arguments but the target.
var (count, arguments) = (CommandLine.argc, CommandLine.unsafeArgv)
if given == nil {
    setenv(variable, target.rawValue, 1)
    count -= 1
    arguments += 1
    arguments[0] = CommandLine.unsafeArgv[0]
}
exit(
    runFuzzer(&count, &arguments) { bytes, size in
        let input = Array(UnsafeBufferPointer(start: bytes, count: size))
        if let property = chosen.brokenProperty(input) {
            let message = Array("broken: \(property)\n".utf8)
            _ = write(STDERR_FILENO, message, message.count)
            abort()
        }
        return 0
    })
