extension ConfigType {
    /// A list of values of one type.
    package static func list<Element: Sendable>(of element: ConfigType<Element>) -> ConfigType
    where Value == [Element] {
        let expectation = "a list, each \(element.expectation)"
        return ConfigType(
            expectation, shape: .list, choices: element.choices, write: { .list($0.map(element.write)) }
        ) { (value, home) throws(ConfigMismatch) in
            guard case .list(let values) = value else { throw .expected(expectation, found: value) }
            var result: [Element] = []
            for (index, value) in values.enumerated() {
                do throws(ConfigMismatch) {
                    result.append(try element.read(value, home))
                } catch {
                    throw ConfigMismatch(error.note, part: .element(index))
                }
            }
            return result
        }
    }
}
