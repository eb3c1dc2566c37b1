/// The type of a field's values in JSON. Null always stands for a value that is not known, or not there.
package enum FieldType: Hashable, Sendable {
    /// A string: a text, an id, a time, or an exact decimal.
    case text
    /// A whole number.
    case integer
    /// True or false.
    case bool
    /// An array of strings.
    case texts
    /// An array of objects.
    case objects
    /// An object.
    case object
}

extension FieldDescriptor {
    /// The type of the values. One name means one thing in all of hub, so it follows from the name; nil for a name whose values have
    /// several forms.
    package var type: FieldType? {
        if name.hasPrefix("is_") || name.hasPrefix("has_") { return .bool }
        if name.hasSuffix("_at") { return .text }
        return FieldType.vocabulary[name]
    }
}

extension FieldType {
    fileprivate static let vocabulary: [String: FieldType] = {
        let names: [(FieldType, String)] = [
            (
                .text,
                """
                account acquired address amount as_of attribution basis birthday born changed_here changed_there command condition content \
                cost currency date day destination detail device device_name email end engine exact_cost exact_fee exact_proceeds fee \
                fee_amount fee_symbol fee_token fee_value file firmware folder format gain gain_percent hardware heard id income kind label \
                language last_price limited_until link merged_into missing_closes name new_name note operation outcome owner path period \
                period_state person phone place portfolio price proceeds provider public_url purchase query range reason received_amount \
                received_symbol received_token requester sale section sha256 short_id since skip sold speed start state streak_unit \
                subject symbol tag text theme tier time title title_before today transcript uid url verb who
                """
            ),
            (
                .integer,
                """
                accuracy_percent age battery_percent buffer calls_left_minute calls_month certain count counted digits due files filled \
                held_days length_ms longest_streak maximum_days order over rank reached received requests revision seconds size_bytes \
                skipped stale_links storage_percent streak trashed unchanged under updated years
                """
            ),
            (.bool, "locked long_term owned pinned read_only searching served"),
            (
                .texts,
                """
                currencies evidence fields ids lists lookalikes losses missing missing_rates organization other_currencies pending \
                places portfolios problems rrule sets shortfalls themes unknown_cost unpriced
                """
            ),
            (
                .objects,
                "alerts emails folders gains groups lines links periods phones positions rows searches segments"
            ),
            (.object, "origin position"),
        ]
        return Dictionary(
            uniqueKeysWithValues: names.flatMap { type, words in words.split(separator: " ").map { (String($0), type) }
            })
    }()
}
