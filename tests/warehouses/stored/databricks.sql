-- totals: how much there is.
-- What leaves: one line of five numbers. No item, no annotator and no text is in it.
WITH accord_rows AS (  -- the table, under accord's names
  SELECT
    CASE WHEN TRIM(CAST(source.`item id` AS STRING)) <> '' THEN CAST(source.`item id` AS STRING) END AS item,  -- the item: only for counting here, in no result; blank is missing
    CASE WHEN TRIM(CAST(source.`who` AS STRING)) <> '' THEN CAST(source.`who` AS STRING) END AS annotator,  -- who answered; blank is missing
    CASE WHEN TRIM(CAST(source.`tag` AS STRING)) <> '' AND CAST(source.`tag` AS STRING) NOT IN ('99', 'don\'t know') THEN CAST(source.`tag` AS STRING) END AS label,  -- what was answered; blank or one of these codes is missing
    source.`topic` AS `topic`,  -- what items are told apart by, the same in all rows of an item
    source.`it``s "odd"` AS `it``s "odd"`,  -- what items are told apart by, the same in all rows of an item
    source.`doc` AS cluster  -- what items are told apart by, the same in all rows of an item
  FROM `project`.`answers` AS source  -- where they lie; nothing is written there
  WHERE CAST(source.`who` AS STRING) IN ('ana', 'o\'neil', 'b"c', 'ünal')  -- only answers of these annotators count
)
SELECT
  COUNT(*) AS n_rows,  -- rows of the table
  COUNT(CASE WHEN item IS NOT NULL AND annotator IS NOT NULL AND label IS NOT NULL THEN 1 END) AS n_annotations,  -- rows with an item, an annotator, a label
  COUNT(DISTINCT CASE WHEN item IS NOT NULL AND annotator IS NOT NULL AND label IS NOT NULL THEN item END) AS n_items,  -- items that somebody answered
  COUNT(DISTINCT CASE WHEN item IS NOT NULL AND annotator IS NOT NULL AND label IS NOT NULL THEN annotator END) AS n_annotators,  -- people who answered any
  COUNT(CASE WHEN item IS NOT NULL AND annotator IS NOT NULL AND label IS NULL THEN 1 END) AS n_missing  -- rows whose label is missing
FROM accord_rows
;

-- labels: how often each label was given.
-- What leaves: a line for each label. No person.
WITH accord_rows AS (  -- the table, under accord's names
  SELECT
    CASE WHEN TRIM(CAST(source.`item id` AS STRING)) <> '' THEN CAST(source.`item id` AS STRING) END AS item,  -- the item: only for counting here, in no result; blank is missing
    CASE WHEN TRIM(CAST(source.`who` AS STRING)) <> '' THEN CAST(source.`who` AS STRING) END AS annotator,  -- who answered; blank is missing
    CASE WHEN TRIM(CAST(source.`tag` AS STRING)) <> '' AND CAST(source.`tag` AS STRING) NOT IN ('99', 'don\'t know') THEN CAST(source.`tag` AS STRING) END AS label,  -- what was answered; blank or one of these codes is missing
    source.`topic` AS `topic`,  -- what items are told apart by, the same in all rows of an item
    source.`it``s "odd"` AS `it``s "odd"`,  -- what items are told apart by, the same in all rows of an item
    source.`doc` AS cluster  -- what items are told apart by, the same in all rows of an item
  FROM `project`.`answers` AS source  -- where they lie; nothing is written there
  WHERE CAST(source.`who` AS STRING) IN ('ana', 'o\'neil', 'b"c', 'ünal')  -- only answers of these annotators count
),
accord_answers AS (  -- the annotations: rows with an item, an annotator and a label
  SELECT item, annotator, label, `topic`, `it``s "odd"`, cluster
  FROM accord_rows
  WHERE item IS NOT NULL  -- rows without an item stand aside
    AND annotator IS NOT NULL  -- rows without an annotator too
    AND label IS NOT NULL  -- and rows whose label is missing
)
SELECT
  label,  -- the label
  COUNT(*) AS n_annotations  -- how many annotations have it
FROM accord_answers
GROUP BY label  -- one line each
HAVING COUNT(*) >= 5  -- lines of fewer than 5 annotations stay here
ORDER BY label  -- in the same order every time
;

-- duplicates: how many items somebody answered more than once; there should be none.
-- What leaves: one number.
WITH accord_rows AS (  -- the table, under accord's names
  SELECT
    CASE WHEN TRIM(CAST(source.`item id` AS STRING)) <> '' THEN CAST(source.`item id` AS STRING) END AS item,  -- the item: only for counting here, in no result; blank is missing
    CASE WHEN TRIM(CAST(source.`who` AS STRING)) <> '' THEN CAST(source.`who` AS STRING) END AS annotator,  -- who answered; blank is missing
    CASE WHEN TRIM(CAST(source.`tag` AS STRING)) <> '' AND CAST(source.`tag` AS STRING) NOT IN ('99', 'don\'t know') THEN CAST(source.`tag` AS STRING) END AS label,  -- what was answered; blank or one of these codes is missing
    source.`topic` AS `topic`,  -- what items are told apart by, the same in all rows of an item
    source.`it``s "odd"` AS `it``s "odd"`,  -- what items are told apart by, the same in all rows of an item
    source.`doc` AS cluster  -- what items are told apart by, the same in all rows of an item
  FROM `project`.`answers` AS source  -- where they lie; nothing is written there
  WHERE CAST(source.`who` AS STRING) IN ('ana', 'o\'neil', 'b"c', 'ünal')  -- only answers of these annotators count
),
accord_answers AS (  -- the annotations: rows with an item, an annotator and a label
  SELECT item, annotator, label, `topic`, `it``s "odd"`, cluster
  FROM accord_rows
  WHERE item IS NOT NULL  -- rows without an item stand aside
    AND annotator IS NOT NULL  -- rows without an annotator too
    AND label IS NOT NULL  -- and rows whose label is missing
)
SELECT COUNT(DISTINCT item) AS n_items  -- items, not answers
FROM (
  SELECT item
  FROM accord_answers
  GROUP BY item, annotator  -- all answers of one annotator to one item
  HAVING COUNT(*) > 1  -- where there are several
) AS answered_again
;

-- several_groups: how many items lie in several groups or clusters; there should be none.
-- What leaves: one number.
WITH accord_rows AS (  -- the table, under accord's names
  SELECT
    CASE WHEN TRIM(CAST(source.`item id` AS STRING)) <> '' THEN CAST(source.`item id` AS STRING) END AS item,  -- the item: only for counting here, in no result; blank is missing
    CASE WHEN TRIM(CAST(source.`who` AS STRING)) <> '' THEN CAST(source.`who` AS STRING) END AS annotator,  -- who answered; blank is missing
    CASE WHEN TRIM(CAST(source.`tag` AS STRING)) <> '' AND CAST(source.`tag` AS STRING) NOT IN ('99', 'don\'t know') THEN CAST(source.`tag` AS STRING) END AS label,  -- what was answered; blank or one of these codes is missing
    source.`topic` AS `topic`,  -- what items are told apart by, the same in all rows of an item
    source.`it``s "odd"` AS `it``s "odd"`,  -- what items are told apart by, the same in all rows of an item
    source.`doc` AS cluster  -- what items are told apart by, the same in all rows of an item
  FROM `project`.`answers` AS source  -- where they lie; nothing is written there
  WHERE CAST(source.`who` AS STRING) IN ('ana', 'o\'neil', 'b"c', 'ünal')  -- only answers of these annotators count
),
accord_answers AS (  -- the annotations: rows with an item, an annotator and a label
  SELECT item, annotator, label, `topic`, `it``s "odd"`, cluster
  FROM accord_rows
  WHERE item IS NOT NULL  -- rows without an item stand aside
    AND annotator IS NOT NULL  -- rows without an annotator too
    AND label IS NOT NULL  -- and rows whose label is missing
)
SELECT COUNT(*) AS n_items
FROM (
  SELECT item
  FROM (SELECT DISTINCT item, `topic`, `it``s "odd"`, cluster FROM accord_answers) AS places
  GROUP BY item
  HAVING COUNT(*) > 1  -- where rows of one item say different things
) AS in_several
;

-- patterns: every way in which an item was answered, and how many items were answered so.
-- What leaves: a line of numbers for each way in each group. No item, no annotator and no text is in it.
WITH accord_rows AS (  -- the table, under accord's names
  SELECT
    CASE WHEN TRIM(CAST(source.`item id` AS STRING)) <> '' THEN CAST(source.`item id` AS STRING) END AS item,  -- the item: only for counting here, in no result; blank is missing
    CASE WHEN TRIM(CAST(source.`who` AS STRING)) <> '' THEN CAST(source.`who` AS STRING) END AS annotator,  -- who answered; blank is missing
    CASE WHEN TRIM(CAST(source.`tag` AS STRING)) <> '' AND CAST(source.`tag` AS STRING) NOT IN ('99', 'don\'t know') THEN CAST(source.`tag` AS STRING) END AS label,  -- what was answered; blank or one of these codes is missing
    source.`topic` AS `topic`,  -- what items are told apart by, the same in all rows of an item
    source.`it``s "odd"` AS `it``s "odd"`,  -- what items are told apart by, the same in all rows of an item
    source.`doc` AS cluster  -- what items are told apart by, the same in all rows of an item
  FROM `project`.`answers` AS source  -- where they lie; nothing is written there
  WHERE CAST(source.`who` AS STRING) IN ('ana', 'o\'neil', 'b"c', 'ünal')  -- only answers of these annotators count
),
accord_answers AS (  -- the annotations: rows with an item, an annotator and a label
  SELECT item, annotator, label, `topic`, `it``s "odd"`, cluster
  FROM accord_rows
  WHERE item IS NOT NULL  -- rows without an item stand aside
    AND annotator IS NOT NULL  -- rows without an annotator too
    AND label IS NOT NULL  -- and rows whose label is missing
),
accord_items AS (  -- each item by itself; this stays in the database
  SELECT
    item,
    `topic`,
    `it``s "odd"`,
    cluster,
    SUM(CASE WHEN label = 'yes' THEN 1 ELSE 0 END) AS label_1,  -- how many annotators gave this label to the item
    SUM(CASE WHEN label = 'n\'o' THEN 1 ELSE 0 END) AS label_2,  -- how many annotators gave this label to the item
    SUM(CASE WHEN label = 'back\\slash' THEN 1 ELSE 0 END) AS label_3,  -- how many annotators gave this label to the item
    SUM(CASE WHEN label = 'two\nlines' THEN 1 ELSE 0 END) AS label_4,  -- how many annotators gave this label to the item
    SUM(CASE WHEN label = 'ж “quoted”' THEN 1 ELSE 0 END) AS label_5,  -- how many annotators gave this label to the item
    SUM(CASE WHEN label = 'x\'); DROP TABLE answers; --' THEN 1 ELSE 0 END) AS label_6,  -- how many annotators gave this label to the item
    SUM(CASE WHEN label = 'Yes' THEN 1 ELSE 0 END) AS label_7  -- how many annotators gave this label to the item
  FROM accord_answers
  GROUP BY item, `topic`, `it``s "odd"`, cluster  -- one line an item
)
SELECT `topic`, `it``s "odd"`, cluster, label_1, label_2, label_3, label_4, label_5, label_6, label_7, COUNT(*) AS n_items  -- how many items look like this
FROM accord_items
GROUP BY `topic`, `it``s "odd"`, cluster, label_1, label_2, label_3, label_4, label_5, label_6, label_7  -- one line each
HAVING COUNT(*) >= 5  -- lines of fewer than 5 items stay here
ORDER BY `topic`, `it``s "odd"`, cluster, label_1, label_2, label_3, label_4, label_5, label_6, label_7  -- in the same order every time
;

-- annotators: how often each annotator gave each label.
-- What leaves: a line for each annotator, by name, and label. No item, no text.
WITH accord_rows AS (  -- the table, under accord's names
  SELECT
    CASE WHEN TRIM(CAST(source.`item id` AS STRING)) <> '' THEN CAST(source.`item id` AS STRING) END AS item,  -- the item: only for counting here, in no result; blank is missing
    CASE WHEN TRIM(CAST(source.`who` AS STRING)) <> '' THEN CAST(source.`who` AS STRING) END AS annotator,  -- who answered; blank is missing
    CASE WHEN TRIM(CAST(source.`tag` AS STRING)) <> '' AND CAST(source.`tag` AS STRING) NOT IN ('99', 'don\'t know') THEN CAST(source.`tag` AS STRING) END AS label,  -- what was answered; blank or one of these codes is missing
    source.`topic` AS `topic`,  -- what items are told apart by, the same in all rows of an item
    source.`it``s "odd"` AS `it``s "odd"`,  -- what items are told apart by, the same in all rows of an item
    source.`doc` AS cluster  -- what items are told apart by, the same in all rows of an item
  FROM `project`.`answers` AS source  -- where they lie; nothing is written there
  WHERE CAST(source.`who` AS STRING) IN ('ana', 'o\'neil', 'b"c', 'ünal')  -- only answers of these annotators count
),
accord_answers AS (  -- the annotations: rows with an item, an annotator and a label
  SELECT item, annotator, label, `topic`, `it``s "odd"`, cluster
  FROM accord_rows
  WHERE item IS NOT NULL  -- rows without an item stand aside
    AND annotator IS NOT NULL  -- rows without an annotator too
    AND label IS NOT NULL  -- and rows whose label is missing
)
SELECT
  annotator,  -- who answered
  label,  -- the label
  COUNT(*) AS n_annotations  -- how often it was given
FROM accord_answers
GROUP BY annotator, label  -- one line each
HAVING COUNT(*) >= 5  -- lines of fewer than 5 annotations stay here
ORDER BY annotator, label  -- in the same order every time
;

-- pairs: what every two annotators said of the items that both of them answered.
-- What leaves: a line for each two annotators, by name, and their two labels. No item, no text.
WITH accord_rows AS (  -- the table, under accord's names
  SELECT
    CASE WHEN TRIM(CAST(source.`item id` AS STRING)) <> '' THEN CAST(source.`item id` AS STRING) END AS item,  -- the item: only for counting here, in no result; blank is missing
    CASE WHEN TRIM(CAST(source.`who` AS STRING)) <> '' THEN CAST(source.`who` AS STRING) END AS annotator,  -- who answered; blank is missing
    CASE WHEN TRIM(CAST(source.`tag` AS STRING)) <> '' AND CAST(source.`tag` AS STRING) NOT IN ('99', 'don\'t know') THEN CAST(source.`tag` AS STRING) END AS label,  -- what was answered; blank or one of these codes is missing
    source.`topic` AS `topic`,  -- what items are told apart by, the same in all rows of an item
    source.`it``s "odd"` AS `it``s "odd"`,  -- what items are told apart by, the same in all rows of an item
    source.`doc` AS cluster  -- what items are told apart by, the same in all rows of an item
  FROM `project`.`answers` AS source  -- where they lie; nothing is written there
  WHERE CAST(source.`who` AS STRING) IN ('ana', 'o\'neil', 'b"c', 'ünal')  -- only answers of these annotators count
),
accord_answers AS (  -- the annotations: rows with an item, an annotator and a label
  SELECT item, annotator, label, `topic`, `it``s "odd"`, cluster
  FROM accord_rows
  WHERE item IS NOT NULL  -- rows without an item stand aside
    AND annotator IS NOT NULL  -- rows without an annotator too
    AND label IS NOT NULL  -- and rows whose label is missing
)
SELECT
  first_answer.annotator AS annotator_1,  -- one annotator
  second_answer.annotator AS annotator_2,  -- another
  first_answer.label AS label_1,  -- what the one said
  second_answer.label AS label_2,  -- what the other said of the same item
  COUNT(*) AS n_items  -- how many items they answered so
FROM accord_answers AS first_answer
JOIN accord_answers AS second_answer ON first_answer.item = second_answer.item  -- on the same item
WHERE first_answer.annotator < second_answer.annotator  -- every two annotators once
GROUP BY first_answer.annotator, second_answer.annotator, first_answer.label, second_answer.label  -- one line each
HAVING COUNT(*) >= 5  -- lines of fewer than 5 items stay here
ORDER BY annotator_1, annotator_2, label_1, label_2  -- in the same order every time
;

-- named_patterns: every way in which these annotators answered an item, and how many items look so.
-- What leaves: a line of labels for each way in each group, a column an annotator. No item, no text.
WITH accord_rows AS (  -- the table, under accord's names
  SELECT
    CASE WHEN TRIM(CAST(source.`item id` AS STRING)) <> '' THEN CAST(source.`item id` AS STRING) END AS item,  -- the item: only for counting here, in no result; blank is missing
    CASE WHEN TRIM(CAST(source.`who` AS STRING)) <> '' THEN CAST(source.`who` AS STRING) END AS annotator,  -- who answered; blank is missing
    CASE WHEN TRIM(CAST(source.`tag` AS STRING)) <> '' AND CAST(source.`tag` AS STRING) NOT IN ('99', 'don\'t know') THEN CAST(source.`tag` AS STRING) END AS label,  -- what was answered; blank or one of these codes is missing
    source.`topic` AS `topic`,  -- what items are told apart by, the same in all rows of an item
    source.`it``s "odd"` AS `it``s "odd"`,  -- what items are told apart by, the same in all rows of an item
    source.`doc` AS cluster  -- what items are told apart by, the same in all rows of an item
  FROM `project`.`answers` AS source  -- where they lie; nothing is written there
  WHERE CAST(source.`who` AS STRING) IN ('ana', 'o\'neil', 'b"c', 'ünal')  -- only answers of these annotators count
),
accord_answers AS (  -- the annotations: rows with an item, an annotator and a label
  SELECT item, annotator, label, `topic`, `it``s "odd"`, cluster
  FROM accord_rows
  WHERE item IS NOT NULL  -- rows without an item stand aside
    AND annotator IS NOT NULL  -- rows without an annotator too
    AND label IS NOT NULL  -- and rows whose label is missing
),
accord_items AS (  -- each item by itself; this stays in the database
  SELECT
    item,
    `topic`,
    `it``s "odd"`,
    cluster,
    MAX(CASE WHEN annotator = 'ana' THEN label END) AS annotator_1,  -- the label that this annotator gave to the item, if any
    MAX(CASE WHEN annotator = 'o\'neil' THEN label END) AS annotator_2,  -- the label that this annotator gave to the item, if any
    MAX(CASE WHEN annotator = 'b"c' THEN label END) AS annotator_3,  -- the label that this annotator gave to the item, if any
    MAX(CASE WHEN annotator = 'ünal' THEN label END) AS annotator_4  -- the label that this annotator gave to the item, if any
  FROM accord_answers
  GROUP BY item, `topic`, `it``s "odd"`, cluster  -- one line an item
)
SELECT `topic`, `it``s "odd"`, cluster, annotator_1, annotator_2, annotator_3, annotator_4, COUNT(*) AS n_items  -- how many items look like this
FROM accord_items
GROUP BY `topic`, `it``s "odd"`, cluster, annotator_1, annotator_2, annotator_3, annotator_4  -- one line each
HAVING COUNT(*) >= 5  -- lines of fewer than 5 items stay here
ORDER BY `topic`, `it``s "odd"`, cluster, annotator_1, annotator_2, annotator_3, annotator_4  -- in the same order every time
;
