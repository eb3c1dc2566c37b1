package import Links

/// A card as its keeper has it.
package typealias RemoteCard = RemoteItem
