/// Values that follow a state: each has the keys that it reads, or other subscriptions that it is made of, and a pure
/// function. A change computes each value that it concerns once, and reports those that are different.
package struct SubscriptionGraph<State> {
    /// A subscription in a graph, by which its value is read.
    package struct Handle<Value: Equatable & Sendable>: Hashable, Sendable {
        /// The place of the node.
        fileprivate let index: Int
    }

    private struct Node {
        let keys: Set<StoreKey>
        let inputs: [Int]
        let compute: (State, [any Sendable]) -> any Sendable
        let isEqual: (any Sendable, any Sendable) -> Bool
        var value: any Sendable
    }

    private var nodes: [Node] = []
    /// The state that all values are of.
    package private(set) var state: State
    /// The number of values that were computed, for tests of what a change costs.
    package private(set) var computations = 0

    /// Creates a graph without subscriptions.
    package init(state: State) { self.state = state }

    /// Adds a value that is read from the state; it depends on `keys` alone.
    package mutating func read<Value: Equatable & Sendable>(
        _ keys: Set<StoreKey>, _ read: @escaping (State) -> Value
    ) -> Handle<Value> {
        add(keys, []) { state, _ in read(state) }
    }

    /// Adds a value that is made of another one.
    package mutating func map<Input, Value: Equatable & Sendable>(
        _ input: Handle<Input>, _ transform: @escaping (Input) -> Value
    ) -> Handle<Value> {
        let standIn = self[input]
        return add([], [input.index]) { _, inputs in transform(inputs[0] as? Input ?? standIn) }
    }

    /// Adds a value that is made of two others.
    package mutating func combine<First, Second, Value: Equatable & Sendable>(
        _ first: Handle<First>, _ second: Handle<Second>, _ transform: @escaping (First, Second) -> Value
    ) -> Handle<Value> {
        let standIns = (self[first], self[second])
        return add([], [first.index, second.index]) { _, inputs in
            transform(inputs[0] as? First ?? standIns.0, inputs[1] as? Second ?? standIns.1)
        }
    }

    private mutating func add<Value: Equatable & Sendable>(
        _ keys: Set<StoreKey>, _ inputs: [Int], _ compute: @escaping (State, [any Sendable]) -> Value
    ) -> Handle<Value> {
        let value = compute(state, inputs.map { nodes[$0].value })
        computations += 1
        nodes.append(
            Node(
                keys: keys, inputs: inputs, compute: compute,
                isEqual: { left, right in
                    guard let left = left as? Value, let right = right as? Value else { return false }
                    return left == right
                }, value: value))
        return Handle(index: nodes.count - 1)
    }

    /// The value of a subscription of this graph.
    package subscript<Value>(handle: Handle<Value>) -> Value {
        guard let value = nodes[handle.index].value as? Value else {
            // A handle is made with the node of its type, and a node never changes its type.
            preconditionFailure("a handle of another graph")
        }
        return value
    }

    /// Takes a state in which `keys` changed, and returns the handles' places whose values are different; see ``changed(_:in:)``.
    @discardableResult
    package mutating func update(_ state: State, changed keys: Set<StoreKey>) -> Set<Int> {
        self.state = state
        var different: Set<Int> = []
        // A node comes after those that it is made of.
        for index in nodes.indices {
            let node = nodes[index]
            guard !node.keys.isDisjoint(with: keys) || node.inputs.contains(where: different.contains) else { continue }
            let value = node.compute(state, node.inputs.map { nodes[$0].value })
            computations += 1
            if !node.isEqual(node.value, value) {
                nodes[index].value = value
                different.insert(index)
            }
        }
        return different
    }

    /// Whether a subscription is among the places that an update returned.
    package func changed<Value>(_ handle: Handle<Value>, in update: Set<Int>) -> Bool { update.contains(handle.index) }
}
