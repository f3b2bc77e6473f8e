import { Component, type ReactNode } from 'react'

interface Props {
  onFailure: (error: unknown) => void
  children: ReactNode
}

/** Leaves out a map that throws an error, so that the rest of the screen stays. */
export class MapErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(error: unknown) {
    this.props.onFailure(error)
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}
