import HubKit
import Sync

/// A service with many users whose address books need other steps than a user and a password.
enum KnownService: CaseIterable {
    case google, iCloud, microsoft

    private var domains: [String] {
        switch self {
        case .google: ["google.com", "googleapis.com", "gmail.com", "googlemail.com"]
        case .iCloud: ["icloud.com", "me.com", "mac.com"]
        case .microsoft:
            ["outlook.com", "hotmail.com", "live.com", "msn.com", "office365.com", "office.com", "microsoft.com"]
        }
    }

    /// The service at an address; nil for any other.
    init?(_ address: Account.Address) {
        let host: Substring
        switch address {
        case .mail(let mail): host = mail.split(separator: "@").last ?? ""
        case .server(let text):
            let origin = address.origin ?? text
            host = (origin.split(separator: "/").last ?? "").prefix { $0 != ":" }
        case .folder, .identifier: return nil
        }
        let name = host.lowercased()
        let service = KnownService.allCases.first { service in
            service.domains.contains { name == $0 || name.hasSuffix("." + $0) }
        }
        guard let service else { return nil }
        self = service
    }

    /// Returns what to know before an account there is added. Throws if it cannot work.
    static func advice(_ address: Account.Address, hasClient: Bool) throws(HubError) -> [String] {
        switch KnownService(address) {
        case .google where !hasClient:
            throw HubError(
                .denied, code: "account-needs-oauth", "Google accepts only OAuth here, not passwords",
                details: [
                    "sign in with a client of your own, which is made once at console.cloud.google.com:",
                    "1. create a project, and enable the CardDAV API in it",
                    "2. set up the consent screen, and publish it: while it is in testing, access ends after 7 days",
                    "3. create an OAuth client of the type Desktop app, and download its JSON file",
                ],
                hint: "then add the account with --oauth-client FILE; or export the contacts there as vCard, and use "
                    + "hub contacts import contacts.vcf")
        case .iCloud:
            return [
                "iCloud needs an app-specific password from account.apple.com (Sign-In and Security), not the one of your "
                    + "Apple Account."
            ]
        case .microsoft:
            throw HubError(
                .denied, code: "account-no-carddav", "Outlook.com and Microsoft 365 have no CardDAV",
                details: ["hub cannot sync contacts with them"],
                hint: "export the contacts there as CSV, and use hub contacts import contacts.csv")
        case .google, nil: return []
        }
    }
}
