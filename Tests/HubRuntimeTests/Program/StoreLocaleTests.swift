import Commands
import TestSupport
import Testing

@testable import HubRuntime

/// The language of a store: that of the terminal in which it was first used.
@MainActor struct StoreLocaleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func completed(_ variables: [String: String], _ config: Config = Config()) -> (String?, String?) {
        let environment = ProcessEnvironment(arguments: [], variables: variables, home: folder.path)
        let completed = StoreLocale(environment, data: folder.path).completing(config)
        return (completed[HubKeys.locale], completed[HubKeys.region])
    }

    private nonisolated static let environments: [([String: String], String?, String?)] = [
        (["LANG": "pl_PL.UTF-8"], "pl_PL", "PL"), (["LANG": "de_AT@euro"], "de_AT", "AT"), (["LANG": "eo"], "eo", nil),
        (["LANG": "en_GB.UTF-8", "LC_COLLATE": "sv_SE.UTF-8"], "sv_SE", "SE"),
        (["LANG": "en_GB.UTF-8", "LC_ALL": "C.UTF-8"], nil, nil), (["LANG": "POSIX"], nil, nil), ([:], nil, nil),
    ]

    @Test(arguments: environments)
    func `the language of the environment is read as setlocale reads it`(
        variables: [String: String], locale: String?, region: String?
    ) {
        #expect(completed(variables) == (locale, region))
    }

    @Test func `the first language stays, whatever runs later`() {
        #expect(completed(["LANG": "pl_PL.UTF-8"]) == ("pl_PL", "PL"))
        #expect(folder.read("locale") == "pl_PL")
        #expect(completed([:]) == ("pl_PL", "PL"))
        #expect(completed(["LANG": "de_DE.UTF-8"]) == ("pl_PL", "PL"))
    }

    @Test func `no language is kept for later`() {
        #expect(completed(["LC_ALL": "C"]) == (nil, nil))
        #expect(folder.names() == [])
    }

    @Test func `what the person has set comes first`() {
        var config = Config()
        config[HubKeys.locale] = "cs_CZ"
        #expect(completed(["LANG": "pl_PL.UTF-8"], config) == ("cs_CZ", "CZ"))
        config[HubKeys.region] = "SK"
        #expect(completed(["LANG": "pl_PL.UTF-8"], config) == ("cs_CZ", "SK"))
        #expect(folder.names() == [])
    }
}
