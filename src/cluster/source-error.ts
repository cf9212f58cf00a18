/** Thrown where a source cannot be opened at all. What is wrong with something inside it is part of the reading. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}
