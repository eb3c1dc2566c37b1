import Glibc
import TestSupport
import Testing

/// An invitation on a machine without a keyring.
@Suite(.timeLimit(.minutes(20)))
struct InvitationFileTests {
    private func mode(_ path: String) -> UInt32? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test func `the token of an invitation is written to a file that only the user can read`() async throws {
        let server = try NotesServer()
        let (invitation, token) = try await server.invite("ada")
        let machine = try NotesHub()
        let folder = try TemporaryFolder()
        let file = folder.path + "/token"
        // On a busy machine the server may answer too late.
        func add(_ name: String, _ file: String, isNew: Bool = false) async -> NotesHub.Run {
            while true {
                let run = await machine.run(
                    "notes servers add \(name) '\(invitation)' --token-file \(file)", isTerminal: false)
                if run.exit != 69 { return run }
                if isNew { #expect(mode(file) == nil, "what was not added leaves nothing behind") }
            }
        }
        let added = await add("home", file, isNew: true)
        #expect(added.exit == 0, "\(added.all)")
        #expect(mode(file) == 0o600)
        #expect(folder.read("token") == token + "\n")
        await machine.run("notes new List -m milk")
        let synced = await machine.run("notes sync")
        #expect(synced.exit == 0 && synced.all.contains("sent 1"), "\(synced.all)")
        // The same token again is fine; anything else stays as it is.
        await machine.run("notes servers rm home --yes")
        #expect(await add("home", file).exit == 0)
        try folder.write("mine\n", to: "other")
        let refused = await add("second", folder.path + "/other")
        #expect(refused.exit == 1 && refused.all.contains("exists with other contents"), "\(refused.all)")
        #expect(folder.read("other") == "mine\n")
        #expect(
            await machine.run("notes servers list --json=name", isTerminal: false).output.contains("second") == false)
        let nowhere = await add("second", folder.path + "/nowhere/token")
        #expect(nowhere.exit == 1 && nowhere.all.contains("no such folder"), "\(nowhere.all)")
    }
}
