import ContactsDomain
import Testing

struct MailTests {
    @Test func `people of a mail, with encoded words, groups and comments`() {
        let header = MailHeader(PackageResources.mail_eml)
        #expect(header.people(in: ["from"]) == [MailAddress(name: "Anna Łukasz", address: "anna@example.org")])
        #expect(
            header.people(in: ["to", "Cc"]) == [
                MailAddress(name: "Nowak, Jan", address: "jan@nowak.example"),
                MailAddress(name: "hub", address: "hub@example.org"),
                MailAddress(name: "Jörg Müller", address: "joerg@mueller.example"),
                MailAddress(name: "", address: "zoe@example.org"),
                MailAddress(name: "Ada \"Countess\" Lovelace", address: "ada@example.org"),
                MailAddress(name: "Bare Name", address: "bare@example.net"),
            ])
        #expect(header.people(in: ["bcc"]).isEmpty)
    }

    @Test(arguments: [
        ("a@example.org, A@EXAMPLE.ORG", ["a@example.org"]), ("undisclosed-recipients:;", []),
        ("<@relay.example,@b.example:a@example.org>", ["a@example.org"]), ("no address", []),
        ("\"a, b\" <a@example.org>; b@example.org", ["a@example.org", "b@example.org"]), ("<>", []),
        ("a@b@example.org", ["a@b@example.org"]), ("a@", []), ("(only) (comments)", []),
        ("John (the \"one\", really) Doe <j@[192.0.2.1]>", ["j@[192.0.2.1]"]), ("\"open <a@example.org>", []),
    ])
    func `lists of addresses`(text: String, addresses: [String]) {
        #expect(MailHeader(Array("To: \(text)\n".utf8)).people(in: ["to"]).map(\.address) == addresses)
    }

    @Test(arguments: [
        ("=?UTF-8?B?xYF1a2Fzeg==?= <a@b>", "Łukasz"), ("=?utf-8?b?xYF1a2Fzeg?= <a@b>", "Łukasz"),
        ("=?utf-8?Q?=C5?= =?utf-8?Q?=81uk?= <a@b>", "Łuk"), ("=?iso-8859-2?Q?=A3uk?= <a@b>", "Łuk"),
        ("=?utf-8*pl?Q?a_b?= c <a@b>", "a b c"), ("=?broken <a@b>", "=?broken"), ("=?x?Z?a?= <a@b>", "=?x?Z?a?="),
        ("\"=?utf-8?Q?=C5=81?=\" <a@b>", "Ł"), ("Łukasz <a@b>", "Łukasz"),
    ])
    func `encoded words`(text: String, name: String) {
        #expect(MailHeader(Array("From: \(text)\n".utf8)).people(in: ["from"]).map(\.name) == [name])
    }
}
