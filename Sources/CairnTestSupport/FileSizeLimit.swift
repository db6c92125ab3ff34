public import Foundation

/// Lets writing beyond a size fail instead of ending the process, and returns the limit before: as if the disk were full. Of the whole process, so for
/// processes of their own.
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
