import Card from '@mui/material/Card'
import Divider from '@mui/material/Divider'
import List from '@mui/material/List'
import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { PeopleSkeleton } from './PeopleSkeleton.tsx'

interface Props<Person> {
  label: string
  people: Pick<UseQueryResult<Person[]>, 'data' | 'isError' | 'isFetching' | 'refetch'>
  empty: ReactNode
  renderPerson: (person: Person) => ReactNode
}

/** One of the three lists in any of its states. */
export function PeopleList<Person extends { id: string }>({ label, people, empty, renderPerson }: Props<Person>) {
  // Loaded data stays on screen when a later refresh fails. The offline banner informs the user.
  if (people.data === undefined) {
    return people.isError ? (
      <ErrorAlert
        message={t('friends.loadFailed')}
        onRetry={() => void people.refetch()}
        isRetrying={people.isFetching}
      />
    ) : (
      <PeopleSkeleton />
    )
  }
  if (people.data.length === 0) return empty
  return (
    <Card>
      <List disablePadding aria-label={label}>
        {people.data.map((person, index) => (
          <Fragment key={person.id}>
            {index > 0 && <Divider component="li" aria-hidden sx={{ marginInlineStart: { xs: 9.5, sm: 10 } }} />}
            {renderPerson(person)}
          </Fragment>
        ))}
      </List>
    </Card>
  )
}
