/// A jar, the item of the examples.
struct Jar: Sendable, Equatable {
    let id: String
    let name: String
    let grams: Int
}
