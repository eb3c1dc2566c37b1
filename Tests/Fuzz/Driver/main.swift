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

guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1]) else {
    print(
        "hub-fuzz TARGET [OPTION…] [CORPUS…]; the targets: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))"
    )
    exit(64)
}
chosen = target
// The fuzzer gets all arguments but the target.
var count = CommandLine.argc - 1
var arguments = CommandLine.unsafeArgv + 1
arguments[0] = CommandLine.unsafeArgv[0]
exit(
    runFuzzer(&count, &arguments) { bytes, size in
        let input = Array(UnsafeBufferPointer(start: bytes, count: size))
        if let property = chosen.brokenProperty(input) {
            fputs("broken: \(property)\n", stderr)
            abort()
        }
        return 0
    })
