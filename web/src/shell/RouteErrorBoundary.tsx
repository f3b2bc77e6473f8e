import { Component, type ReactNode } from 'react'
import { dropStoredQueries } from '../api/query-persistence.ts'
import { t } from '../i18n/translate.ts'
import { FailedPage } from './FailedPage.tsx'

interface Props {
  /** Another path resets the error. */
  place: string
  children: ReactNode
}

interface State {
  failure: { place: string; error: unknown } | null
}

/** Catches errors of a screen and leaves the navigation usable. */
export class RouteErrorBoundary extends Component<Props, State> {
  override state: State = { failure: null }

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { place: '', error } }
  }

  static getDerivedStateFromProps({ place }: Props, { failure }: State): State | null {
    if (failure === null || failure.place === place) return null
    return { failure: failure.place === '' ? { ...failure, place } : null }
  }

  override componentDidCatch() {
    void dropStoredQueries()
  }

  override render() {
    const { failure } = this.state
    return failure === null ? (
      this.props.children
    ) : (
      <FailedPage heading={t('shell.routerError')} error={failure.error} />
    )
  }
}
