import { Component, type ReactNode } from 'react'
import { NothingHere } from './NothingHere.tsx'
import { shellStrings } from './strings.ts'

interface Props {
  /** Another one than that which failed is tried anew. */
  place: string
  children: ReactNode
}

interface State {
  failure: { place: string; message: string } | null
}

/** Catches what goes wrong in a screen, and leaves a way to the others. */
export class RouteErrorBoundary extends Component<Props, State> {
  override state: State = { failure: null }

  static getDerivedStateFromError(error: unknown): State {
    const message = error instanceof Error && error.message !== '' ? error.message : shellStrings.boundaryText
    return { failure: { place: '', message } }
  }

  static getDerivedStateFromProps({ place }: Props, { failure }: State): State | null {
    if (failure === null || failure.place === place) return null
    return { failure: failure.place === '' ? { ...failure, place } : null }
  }

  override render() {
    const { failure } = this.state
    return failure === null ? this.props.children : <NothingHere message={failure.message} />
  }
}
