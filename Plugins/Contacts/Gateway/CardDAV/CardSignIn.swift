import HTTPClient
package import Sync
import System
import WebDAV

extension SystemAccountClients {
    /// The time for the user to allow access in the browser.
    private static let patience = Duration.seconds(300)
    /// The access to Google's address books (developers.google.com/people/carddav).
    private static let scope = "https://www.googleapis.com/auth/carddav"

    /// Lets the user allow access to the address books in a browser, and returns the secret to store.
    package func signIn(
        to account: Account, client file: [UInt8], show: @escaping @Sendable ([String]) async -> Void
    ) async throws -> String {
        do throws(OAuthError) {
            let signIn = try OAuthSignIn(try OAuthClient(file: file))
            let url = try signIn.url(scope: SystemAccountClients.scope, user: account.user)
            await show(["Open this address in a browser on this machine, and allow access:", "  \(url)"])
            let end = ContinuousClock.now + SystemAccountClients.patience
            let code = try await BackgroundThread.run { () throws(OAuthError) in
                try signIn.waitForCode(until: end) { BackgroundThread.isCancelled }
            } whenRefused: {
                .unavailable(reason: "\($0)")
            }
            return try await signIn.grant(for: code, over: HTTPClient(HTTPConfiguration())).secret
        } catch {
            throw SystemAccountClients.refusal(error)
        }
    }

    private static func refusal(_ error: OAuthError) -> HubError {
        let again = "nothing was saved; run the command again"
        switch error {
        case .invalidClient:
            return HubError(
                .invalid, code: "oauth-client", "\(error)",
                hint:
                    "download the file of a client of the type Desktop app at console.cloud.google.com/apis/credentials"
            )
        case .noRefreshToken:
            return HubError(
                .denied, code: "oauth-refused", "\(error)", details: ["access would end within the hour"], hint: again)
        case .refused, .timedOut, .cancelled, .unavailable, .remote:
            return HubError(.denied, code: "oauth-refused", "\(error)", hint: again)
        }
    }
}
