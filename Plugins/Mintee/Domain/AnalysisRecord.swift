/// An analysis as it is kept.
package struct AnalysisRecord: Hashable, Sendable {
    /// The id of the analysis.
    package let id: String
    /// The data entered by the user.
    package var analysis: Analysis
    /// Its number on the home page, from 0; -1 when it is not there.
    package let order: Int
    /// Grows with every change; an edit names the one it saw.
    package let revision: Int
    /// Since when it is in the trash, in milliseconds since 1970-01-01T00:00:00Z; nil for a live one.
    package let deletedAt: Int64?

    package init(id: String, analysis: Analysis, order: Int, revision: Int, deletedAt: Int64? = nil) {
        self.id = id
        self.analysis = analysis
        self.order = order
        self.revision = revision
        self.deletedAt = deletedAt
    }
}
