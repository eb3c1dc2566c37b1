package import Links

/// A card as stored in the account.
package typealias RemoteCard = RemoteItem
