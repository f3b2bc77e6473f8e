import { Component, type ReactNode } from 'react'
import { dropStoredQueries } from '../api/query-persistence.ts'
import { t } from '../i18n/translate.ts'
import { FailedPage } from './FailedPage.tsx'

interface State {
  error: unknown
}

/** Catches errors outside of the router. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override componentDidCatch() {
    void dropStoredQueries()
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return <FailedPage heading={t('shell.boundaryTitle')} error={error} />
  }
}
