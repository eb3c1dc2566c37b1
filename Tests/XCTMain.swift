import Testing

/// The entry point of all tests. SwiftPM uses a file of this name as it is; without it, SwiftPM generates one, for which it searches an
/// index of all sources for tests of XCTest. There are none, and the index costs a fifth of a build.
@main struct AllTests {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
