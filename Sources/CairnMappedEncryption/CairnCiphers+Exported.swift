// The cost of scrypt is part of this module's API.
@_exported public import CairnCiphers
