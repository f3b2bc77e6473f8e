import Button from '@mui/material/Button'
import { Component, type ReactNode } from 'react'
import { ErrorPage } from './ErrorPage.tsx'
import { shellStrings } from './strings.ts'

interface State {
  message: string | null
}

/** Catches what even the router could not. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { message: null }

  static getDerivedStateFromError(error: unknown): State {
    return { message: error instanceof Error && error.message !== '' ? error.message : shellStrings.boundaryText }
  }

  override render() {
    if (this.state.message === null) return this.props.children
    return (
      <ErrorPage heading={shellStrings.boundaryTitle} message={this.state.message}>
        <Button variant="contained" onClick={() => location.reload()}>
          {shellStrings.reload}
        </Button>
      </ErrorPage>
    )
  }
}
