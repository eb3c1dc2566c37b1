import Commands
import HubKit
import MinteeDomain

/// Routes for the forms of the page: an empty form, and parsing of target sets and bounds while they are filled in.
enum FormRoutes {
    static let all = [
        Route(.get, "/api/mintee/form", summary: "get the initial form fields of a new task") {
            (mintee: MinteePlugin, _) in
            let form = try mintee.taskForm(nil)
            return .output(.record(form, [Field("form", "FORM", help: "form fields with their values") { $0 }]))
        },
        Route(.post, "/api/mintee/read/set", summary: "parse a pattern and the fields of a target", isForPages: true) {
            (mintee: MinteePlugin, request) in
            let json = try request.json()
            let set = try mintee.targetSet(
                json["pattern"], try TargetFields(json, mintee.config.decimalMark(of: json)))
            let form = try mintee.setForm(set)
            return .output(.record(form, [Field("set", "SET", help: "parsed target set") { $0 }]))
        },
        Route(.post, "/api/mintee/read/bounds", summary: "parse the fields of a target", isForPages: true) {
            (mintee: MinteePlugin, request) in
            let json = try request.json()
            let target = try mintee.target(try TargetFields(json, mintee.config.decimalMark(of: json)))
            let form = try mintee.setForm(TargetSet(.daily, target))
            return .output(.record(form, [Field("set", "SET", help: "parsed target, in a daily target set") { $0 }]))
        },
    ]
}

extension TargetFields {
    /// Reads `{"lowerOperator": 2, "lower": "3", "upperOperator": 1, "upper": "5"}`, with the operator numbers of
    /// exports.
    fileprivate init(_ json: JSONValue, _ mark: DecimalMark) throws(HubError) {
        func operation(_ name: String) -> TargetOperator? {
            json[name]?.integer.flatMap(TargetOperator.init(rawValue:))
        }
        guard let lower = operation("lowerOperator"), let upper = operation("upperOperator") else {
            throw HubError(
                .invalid, code: "operator-unknown", "the request needs two operators",
                details: ["lowerOperator and upperOperator are 0 for none, 1 for <, 2 for <=, 3 for ="])
        }
        self.init(lower, json["lower"]?.string ?? "", upper, json["upper"]?.string ?? "", mark)
    }
}

extension MinteePlugin {
    /// The form fields of a task; each target set includes its description in words.
    func taskForm(_ draft: TaskDraft?) throws -> FieldValue {
        let sets = draft?.schedule.sets ?? [TargetSet(.daily)]
        guard case .object(let members) = FieldValue(try form(of: draft)) else { return .null }
        return .object(
            try members.map { member in
                guard member.name == "targetSets" else { return member }
                return FieldValue.Member(member.name, .list(try sets.map { try setForm($0) }))
            })
    }

    /// A target set with descriptions: `text` as typed, `words` for people, and `goal`, its target in words.
    func setForm(_ set: TargetSet) throws -> FieldValue {
        guard case .object(let members) = FieldValue(try form(of: set)) else { return .null }
        return .object(
            members.filter { $0.name != "priority" } + [
                FieldValue.Member("text", .text(set.description)),
                FieldValue.Member("words", .text(set.words)),
                FieldValue.Member("goal", .text(set.target.words)),
            ])
    }
}
