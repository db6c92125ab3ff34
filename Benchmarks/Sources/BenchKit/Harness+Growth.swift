extension Harness {
    /// Adds what a workload took with the larger of two variants, as a multiple of what it took with the smaller, if both were measured.
    public func addGrowth(_ growth: Workload, of workload: Workload, from small: Int, to large: Int) {
        let times = [small, large].map { size in results.first { $0.workload == workload.name && $0.variant == "\(size)" } }
        guard let before = times[0], let after = times[1] else { return }
        add(
            Measured(growth, variant: "\(small) to \(large)", subject: before.subject, unit: "times", value: after.value / before.value)
        )
    }
}
