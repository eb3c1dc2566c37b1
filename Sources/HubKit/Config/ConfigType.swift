/// The values of a key: how they are read, written and described.
package struct ConfigType<Value: Sendable>: Sendable {
    /// Reads a value; `home` is the folder that `~` stands for.
    package typealias Read = @Sendable (_ value: ConfigValue, _ home: String) throws(ConfigMismatch) -> Value

    /// The expectation, after the word "expected": `a duration such as "15min"`.
    package let expectation: String
    /// The way text from the environment or the command line becomes a value.
    package let shape: ConfigShape
    /// All words that can be written, when that is a short list.
    package let choices: [String]
    /// Reads a value.
    package let read: Read
    /// The value as it is written in the file.
    package let write: @Sendable (Value) -> ConfigValue

    package init(
        _ expectation: String, shape: ConfigShape, choices: [String] = [],
        write: @escaping @Sendable (Value) -> ConfigValue, read: @escaping Read
    ) {
        self.expectation = expectation
        self.shape = shape
        self.choices = choices
        self.read = read
        self.write = write
    }
}

/// The way unquoted text from the environment or the command line becomes a value.
package enum ConfigShape: Sendable, Equatable {
    /// `true`, `yes`, `on`, `1` and their opposites.
    case boolean
    /// Decimal digits.
    case integer
    /// The word itself.
    case text
    /// A TOML array, or words separated by commas.
    case list
    /// A TOML inline table, or the word itself.
    case textOrTable
}
