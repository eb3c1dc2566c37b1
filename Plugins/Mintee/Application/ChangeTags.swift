package import HubKit
import MinteeDomain

/// A tag with its number of live tasks.
package struct TagUsage: Hashable, Sendable {
    /// The tag in its stored spelling.
    package let tag: String
    /// The number of live tasks with the tag.
    package let count: Int
}

extension MinteePlugin {
    /// Adds the tags `added` to the task `id`, and removes `removed`; tags are compared without case and accents. A tag
    /// is deleted with the last task that has it.
    /// - Returns: the tags after the change, and whether they changed.
    package func changeTags(
        of id: String, adding added: [String] = [], removing removed: [String] = [], operation: Operation
    ) async throws -> (tags: [String], isChanged: Bool) {
        let gone = Set(removed.map { TagName.folded($0) })
        return try await store.write(operation) { transaction in
            let record = try transaction.liveTask(id)
            var draft = record.draft
            draft.tags.removeAll { gone.contains(TagName.folded($0)) }
            let present = Set(draft.tags.map { TagName.folded($0) })
            draft.tags += added.filter { !present.contains(TagName.folded($0)) }
            try draft.breaches.enforce()
            let isChanged = draft.tags != record.draft.tags
            if isChanged {
                try transaction.setTags(draft.tags, of: id)
                try transaction.emit(MinteeEvents.taskChanged, id, name: draft.name)
            }
            return (try transaction.liveTask(id).draft.tags, isChanged)
        }
    }

    /// Returns all tags of live tasks, sorted by name.
    package func tags() async throws -> [TagUsage] {
        try await store.read { try $0.tagCounts().map { TagUsage(tag: $0.tag, count: $0.count) } }
    }
}
