public import Foundation

/// Makes writes beyond a size fail, as if the disk were full, instead of ending the process, and returns the previous limit. Affects the whole
/// process, so use it in separate processes.
@discardableResult
public func limitFileSize(to size: rlim_t) -> rlim_t {
    signal(SIGXFSZ, SIG_IGN)
    #if os(Linux)
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
    let resource = RLIMIT_FSIZE
    #endif
    var limit = rlimit()
    unsafe getrlimit(resource, &limit)
    let before = limit.rlim_cur
    limit.rlim_cur = size
    unsafe setrlimit(resource, &limit)
    return before
}
