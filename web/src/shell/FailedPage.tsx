import Button from '@mui/material/Button'
import { ErrorPage } from './ErrorPage.tsx'
import { shellStrings } from './strings.ts'

/** Shown in place of what could not be rendered. */
export function FailedPage({ heading, error }: { heading: string; error: unknown }) {
  const details = error instanceof Error && error.message !== '' ? { details: error.message } : {}
  return (
    <ErrorPage heading={heading} message={shellStrings.boundaryText} {...details}>
      <Button variant="contained" onClick={() => location.reload()}>
        {shellStrings.reload}
      </Button>
      {/* Not a link of the router: the failed state must end. */}
      <Button href="/">{shellStrings.goHome}</Button>
    </ErrorPage>
  )
}
