package import Sync

/// A card as stored in the account.
package typealias RemoteCard = RemoteItem
