/// A stored analysis.
package struct AnalysisRecord: Hashable, Sendable {
    /// The id of the analysis.
    package let id: String
    /// The data entered by the user.
    package var analysis: Analysis
    /// The position on the home page, from 0; -1 if it is not there.
    package let order: Int
    /// The revision, which increases with every change; an edit names the one that it is based on.
    package let revision: Int
    /// The time of the move to the trash, in milliseconds since 1970-01-01T00:00:00Z; nil for a live analysis.
    package let deletedAt: Int64?

    package init(id: String, analysis: Analysis, order: Int, revision: Int, deletedAt: Int64? = nil) {
        self.id = id
        self.analysis = analysis
        self.order = order
        self.revision = revision
        self.deletedAt = deletedAt
    }
}
