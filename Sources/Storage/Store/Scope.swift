import SQLite

/// Whose statements run: what the authorizer asks for.
///
/// It guards against mistakes, such as a plugin that reads another's table; not against hostile code, which lives in
/// the same process.
enum Scope: Hashable {
    /// The store itself: everything is allowed.
    case store
    /// A plugin's own reads and writes: rows of the tables with its prefix.
    case plugin(Int)
    /// A plugin's migration: also the making and changing of these tables.
    case migration(Int)

    /// The scope as the connection keeps it.
    var rawValue: Int {
        switch self {
        case .store: 0
        case .plugin(let number): 2 * number + 1
        case .migration(let number): 2 * number + 2
        }
    }

    init(rawValue: Int) {
        self = rawValue == 0 ? .store : rawValue % 2 == 1 ? .plugin(rawValue / 2) : .migration(rawValue / 2 - 1)
    }
}

/// The rule that every statement passes when it is prepared.
struct ScopeRule {
    private let prefixes: [String]
    private static let tableFunctions: Set<String> = ["json_each", "json_tree"]
    private static let harmlessPragmas: Set<String> = ["data_version", "table_info"]

    init(_ catalog: SchemaCatalog) { prefixes = catalog.entries.map { $0.schema.owner + "_" } }

    func allows(_ request: AuthorizerRequest, in scope: Int) -> Bool {
        switch Scope(rawValue: scope) {
        case .store: true
        case .plugin(let number): allowsUse(request, by: prefixes[number])
        case .migration(let number):
            allowsUse(request, by: prefixes[number]) || allowsChange(request, by: prefixes[number])
        }
    }

    private func allowsUse(_ request: AuthorizerRequest, by prefix: String) -> Bool {
        switch request.action {
        case .select, .recursive, .savepoint: true
        case .function: request.detail != "load_extension"
        case .insert, .delete: request.name.hasPrefix(prefix)
        // SQLite asks for the schema table when it first connects to a virtual table such as json_each; statements
        // that would really write it are refused by the library, and the pragma that allows them is denied here.
        case .update: request.name.hasPrefix(prefix) || request.name == "sqlite_master"
        case .read:
            // A name without an underscore is that of a common table expression: no table of ours has such a name.
            request.name.hasPrefix(prefix) || request.name == "sqlite_master" || !request.name.contains("_")
                || Self.tableFunctions.contains(request.name)
        case .pragma: Self.harmlessPragmas.contains(request.name)
        default: false
        }
    }

    /// Whether a migration may make the change. Triggers are not allowed: derived rows come only from `reindex`.
    private func allowsChange(_ request: AuthorizerRequest, by prefix: String) -> Bool {
        switch request.action {
        case .createTable, .createView, .createVirtualTable, .dropTable, .dropView, .dropVirtualTable, .reindex:
            request.name.hasPrefix(prefix)
        // The index of a UNIQUE constraint is named by SQLite.
        case .createIndex, .dropIndex: request.detail.hasPrefix(prefix)
        case .alterTable: request.detail.hasPrefix(prefix)
        // SQLite looks through a table to which a column with a constraint is added.
        case .pragma: request.name == "quick_check"
        case .read: request.name.hasPrefix("sqlite_") || request.name == "pragma_quick_check"
        case .insert, .update, .delete: request.name.hasPrefix("sqlite_")
        default: false
        }
    }
}
