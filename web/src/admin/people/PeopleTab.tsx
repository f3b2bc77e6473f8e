import SearchRounded from '@mui/icons-material/SearchRounded'
import InputAdornment from '@mui/material/InputAdornment'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { ToggleChoice } from '../../ui/ToggleChoice.tsx'
import { peopleQuery, type Whom } from '../admin.api.ts'
import { PagedList } from '../PagedList.tsx'
import { adminStrings as strings } from '../strings.ts'
import { PersonCard } from './PersonCard.tsx'

export function PeopleTab() {
  const [text, setText] = useState('')
  const [whom, setWhom] = useState<Whom>('everyone')
  const q = useDeferredValue(text.trim())
  const people = useInfiniteQuery({ ...peopleQuery(q, whom), placeholderData: keepPreviousData })
  return (
    <Stack spacing={2}>
      <TextField
        label={strings.search}
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        fullWidth
        slotProps={{
          htmlInput: { autoCapitalize: 'none', spellCheck: false, maxLength: 254 },
          input: {
            startAdornment: (
              <InputAdornment position="start">
                <SearchRounded />
              </InputAdornment>
            ),
          },
        }}
      />
      <ToggleChoice
        label={strings.whom}
        options={[
          ['everyone', strings.everyone],
          ['admins', strings.admins],
          ['suspended', strings.suspendedPeople],
        ]}
        value={whom}
        onChange={setWhom}
      />
      <PagedList
        label={strings.people}
        rows={people}
        empty={strings.nobody}
        keyOf={({ id }) => id}
        renderRow={(person) => <PersonCard person={person} />}
      />
    </Stack>
  )
}
