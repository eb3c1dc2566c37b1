import HubKit

/// The option that names the books of an account to sync.
enum BookOption {
    static let book = Option<[String]>("book", "NAME", help: "sync this book only; may be given again")
}
