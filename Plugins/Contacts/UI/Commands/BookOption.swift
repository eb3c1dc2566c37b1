import HubKit

/// The option for the books of an account to sync.
enum BookOption {
    static let book = Option<[String]>("book", "NAME", help: "sync only this book (can be repeated)")
}
