import Commands
import Contacts
import Dictofun
import Glibc
import HubKit
import HubRuntimeTesting
import Market
import Mintee
import Notes
import TestSupport
import Testing

@testable import HubRuntime

/// `docs/config.schema.json`, which is that of `hub config schema`. `HUB_UPDATE_GOLDEN=1` writes it.
struct ConfigJSONSchemaTests {
    private static let schema = ConfigSchema(of: [
        ContactsPlugin.self, NotesPlugin.self, DictofunPlugin.self, MarketPlugin.self, MinteePlugin.self,
    ])
    private static let root = #filePath.replacing("/Tests/HubRuntimeTests/Config/ConfigJSONSchemaTests.swift", with: "")

    @Test func `the schema in the documentation is that of the settings`() {
        let path = Self.root + "/docs/config.schema.json"
        let text = ConfigJSONSchema.document(of: Self.schema).line + "\n"
        if getenv("HUB_UPDATE_GOLDEN") != nil { Golden.write(text, to: path) }
        #expect(Golden.read(path) == text, "HUB_UPDATE_GOLDEN=1 writes docs/config.schema.json")
    }

    @Test func `a validator takes the examples of all settings, and refuses what is misspelled`() async throws {
        let folder = try TemporaryFolder()
        let schema = try folder.write(ConfigJSONSchema.document(of: Self.schema).line, to: "schema.json")
        // The template with every setting in force.
        let template = ConfigTemplate.text(for: Self.schema).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0 }.joined(separator: "\n")
        let all = try folder.write(template, to: "all.toml")
        let wrong = try folder.write("[hub]\nregoin = \"PL\"\n[hub.web]\nshortcuts = 1\n", to: "wrong.toml")
        let script = """
            import json, sys, tomllib
            from jsonschema import Draft202012Validator
            schema = json.load(open(sys.argv[1]))
            Draft202012Validator.check_schema(schema)
            for path in sys.argv[2:]:
                for error in sorted(Draft202012Validator(schema).iter_errors(tomllib.load(open(path, "rb"))), key=lambda e: e.validator):
                    print(path.rsplit("/", 1)[1], ".".join(map(str, error.absolute_path)), error.validator)
            """
        let run = try await Subprocess("\(Self.root)/.build/peers/bin/python", ["-c", script, schema, all, wrong])
            .run(outputLimit: 1 << 16, timeout: .seconds(120))
        let output = String(decoding: run.output, as: UTF8.self)
        #expect(
            output == "wrong.toml hub additionalProperties\nwrong.toml hub.web.shortcuts type\n",
            "\(output)\(String(decoding: run.errorOutput, as: UTF8.self))")
    }
}
