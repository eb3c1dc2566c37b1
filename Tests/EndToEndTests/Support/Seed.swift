import Glibc

/// The seed of a test that draws numbers: the same in each run, unless `HUB_TEST_SEED` sets another one.
enum Seed {
    /// Returns the seed, which the test prints or names in its failures.
    static func value(_ fixed: UInt64) -> UInt64 {
        getenv("HUB_TEST_SEED").flatMap { UInt64(String(cString: $0)) } ?? fixed
    }
}
