import SQLite

/// The browsers that get messages by a push service. The table belongs to the owner `core`.
extension Transaction {
    /// Returns all subscriptions, the oldest first.
    package func pushSubscriptions() throws -> [StoredPushSubscription] {
        try rows(
            """
            SELECT p.endpoint, p.session, p.key, p.secret, w.expires FROM core_push_subscription p
            LEFT JOIN core_web_credential w ON w.kind = 'session' AND w.hash = p.session ORDER BY p.created_at, p.endpoint
            """
        ) { row in
            StoredPushSubscription(
                endpoint: row.text(0), session: row.blob(1), key: row.blob(2), secret: row.blob(3),
                expires: Instant(milliseconds: Int64(row.int(4))))
        }
    }

    /// Stores a subscription, which takes the place of others of the same session.
    package func save(_ subscription: StoredPushSubscription) throws {
        try run(
            "DELETE FROM core_push_subscription WHERE session = ? OR endpoint = ?", subscription.session,
            subscription.endpoint)
        try run(
            "INSERT INTO core_push_subscription (endpoint, session, key, secret, created_at) VALUES (?, ?, ?, ?, ?)",
            subscription.endpoint, subscription.session, subscription.key, subscription.secret, now.milliseconds)
    }

    /// Deletes the subscription with an endpoint.
    /// - Returns: whether it existed.
    @discardableResult
    package func removePushSubscription(_ endpoint: String) throws -> Bool {
        try run("DELETE FROM core_push_subscription WHERE endpoint = ?", endpoint) > 0
    }

    /// Deletes the subscription of a session.
    /// - Returns: whether it existed.
    @discardableResult
    package func removePushSubscription(ofSession session: [UInt8]) throws -> Bool {
        try run("DELETE FROM core_push_subscription WHERE session = ?", session) > 0
    }
}

/// The subscription of a browser, as it is stored.
package struct StoredPushSubscription: Hashable, Sendable {
    /// The address at the push service.
    package let endpoint: String
    /// The hash of the session of the browser.
    package let session: [UInt8]
    /// The public key of the browser.
    package let key: [UInt8]
    /// The authentication secret of the browser.
    package let secret: [UInt8]
    /// The time at which the session ends, of a subscription that was read; 1970 if there is none.
    package let expires: Instant

    package init(
        endpoint: String, session: [UInt8], key: [UInt8], secret: [UInt8], expires: Instant = Instant(milliseconds: 0)
    ) {
        self.endpoint = endpoint
        self.session = session
        self.key = key
        self.secret = secret
        self.expires = expires
    }
}
