import NotesDomain
import Testing

/// The line that connects another machine with a server.
struct InvitationTests {
    @Test(arguments: ["maria", "Łukasz Nowak", "a.b/c#d%"])
    func `an invitation is read as it was written`(name: String) {
        let invitation = Invitation(url: "https://notes.example.org:3001", name: name, token: "0123456789abcdef")
        #expect(Invitation(invitation.text) == invitation)
        #expect(invitation.text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    }

    @Test(arguments: [
        "", "https://x", "https://x/#invitation=a", "https://x/#invitation=.0123456789abcdef",
        "https://x/#invitation=a.short", "ftp://x/#invitation=a.0123456789abcdef",
        "https://x/#invitation=%f.0123456789abcdef", "https://x/#invitation=a.0123456789abcde\n",
        "https://x/#invitation=a.b.0123456789abcdef",
    ])
    func `a line of another form is refused`(line: String) {
        #expect(Invitation(line) == nil)
    }
}
