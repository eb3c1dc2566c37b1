extension StringProtocol {
    /// Returns the text with each scalar `old` replaced by `new`.
    ///
    /// Writers of formats must not replace by `Character`: a quote with a combining mark, or after a prepended sign, is
    /// one character with it and would be left as it is.
    package func replacing(scalar old: Unicode.Scalar, with new: String) -> String {
        unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == old { result += new } else { result.unicodeScalars.append(scalar) }
        }
    }
}
