import JSON

/// An order that a tea shop has delivered.
package struct ShopOrder: Hashable, Sendable {
    package let id: String
    package let tea: String
    /// The leaves, in grams.
    package let grams: Int

    /// The maximum size of a list of orders, in bytes.
    package static let maximumBytes = 1 << 20

    /// Reads `{"orders": [{"id": "o1", "tea": "Sencha", "grams": 100}]}`; nil if it is no such text. An order that is not
    /// valid is left out.
    package static func read(_ bytes: [UInt8]) -> [ShopOrder]? {
        let limits = JSONReader.Limits(bytes: maximumBytes, depth: 8)
        guard let orders = (try? JSONReader.read(bytes, limits: limits))?["orders"]?.array else { return nil }
        return orders.compactMap { order in
            guard let id = order["id"]?.string, let tea = order["tea"]?.string, !Tea.words(tea).isEmpty,
                let grams = order["grams"]?.integer, (1...100_000).contains(grams)
            else { return nil }
            return ShopOrder(id: id, tea: tea, grams: grams)
        }
    }
}
